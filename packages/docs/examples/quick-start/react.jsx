import { PortalEmbed } from '@portal-embed/react';
import { createRoot } from 'react-dom/client';

createRoot(document.querySelector('#root')).render(<PortalEmbed title="Reports" />);
