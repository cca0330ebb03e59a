import type { MailTemplate } from '../render-template.ts';
import { layout } from './layout.ts';
import { button, emphasis, heading, paragraph, signature } from './pieces.ts';

/**
 * A notice with a way to restore the account. The link opens the sign-in page and contains no
 * credential.
 */
export const accountDeleted: MailTemplate = {
	html: layout(`
${heading('{{heading}}')}
${paragraph('{{intro}}')}
${paragraph('{{detail}}')}
${paragraph('{{restore}}')}
${button('{{app_url}}', '{{open}}')}
${emphasis('{{object}}')}`),
	text: `{{intro}}

{{detail}}

{{restore}}

{{open}}: {{app_url}}

{{object}}

${signature}`
};
