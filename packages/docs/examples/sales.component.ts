import { Component, computed, CUSTOM_ELEMENTS_SCHEMA, input, signal } from '@angular/core';
import type { EmbedOptions, EmbedState } from '@portal-embed/react/element';

@Component({
  selector: 'app-sales',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <button (click)="embed.refresh()">Refresh</button>
    <output>{{ status() }}</output>
    <portal-embed
      #embed
      title="Sales"
      theme="auto"
      [options]="options()"
      (statechange)="status.set($event.detail.status)"
    >
      <a slot="signed-out" href="/sign-in">Sign in</a>
    </portal-embed>
  `,
})
export class Sales {
  readonly reportId = input.required<string>();
  readonly region = input<string>();
  readonly status = signal<EmbedState['status']>('idle');
  readonly options = computed<EmbedOptions>(() => {
    const region = this.region();
    return {
      reportId: this.reportId(),
      customFilters: region ? [{ key: 'Superstore/Region', value: region }] : [],
    };
  });
}
