import type { MailTemplate } from '../render-template.ts';
import { advice, button, heading, layout, paragraph, signature } from './layout.ts';

export const welcome: MailTemplate = {
	html: layout(`
${heading('{{heading}}')}
${paragraph('{{intro}}')}
${paragraph('{{how}}')}
${button('{{app_url}}', '{{open}}')}
${advice('{{object}}')}`),
	text: `{{heading}}

{{intro}}

{{how}}

{{open}}: {{app_url}}

{{object}}

${signature}`
};
