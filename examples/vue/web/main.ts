import { definePortalEmbed } from '@portal-embed/react/element';
import { createApp } from 'vue';

import App from './App.vue';

import './page.css';

definePortalEmbed();
const data = JSON.parse(document.querySelector('#page-data')!.textContent);
createApp(App, { data }).mount('#app');
