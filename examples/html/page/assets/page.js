const find = (selector) => document.querySelector(selector);
const { user, reports } = JSON.parse(find('#page-data').textContent);

find('#controls').hidden = !user;
for (const { id, name } of reports) find('#report').append(new Option(name, id));

// #region element
const embed = find('portal-embed');

find('#controls').addEventListener('change', () => {
  const region = find('#region').value;
  embed.options = {
    reportId: find('#report').value || undefined,
    customFilters: region ? [{ key: 'Superstore/Region', value: region }] : [],
  };
});
find('#refresh').addEventListener('click', () => embed.refresh());
embed.addEventListener('statechange', ({ detail }) => {
  find('output').textContent = detail.status;
});
// #endregion
