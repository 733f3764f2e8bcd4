/**
 * Runs in the portal's page before its own scripts. Notes when the first number and the last chart were
 * painted, in milliseconds from the navigation.
 */
const shown = { firstNumber: undefined, lastChart: undefined };
let charts = 0;

/** Called in an animation frame, it runs after that frame is painted. */
const afterPaint = (act) => setTimeout(() => act(performance.now()));

const check = () => {
  if (shown.firstNumber === undefined && document.querySelector('.kpi-value')?.textContent)
    afterPaint((at) => (shown.firstNumber ??= at));
  const { length } = document.querySelectorAll('svg');
  if (length > charts) {
    charts = length;
    afterPaint((at) => (shown.lastChart = at));
  }
  requestAnimationFrame(check);
};
check();
window.shown = shown;
