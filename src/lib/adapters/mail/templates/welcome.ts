import type { MailTemplate } from '../render-template.ts';
import { layout } from './layout.ts';
import { advice, button, heading, paragraph, signature } from './pieces.ts';

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
