import type { MailTemplate } from '../render-template.ts';
import { heading, layout, paragraph, signature } from './layout.ts';

/** What happened, and what to do if it was not you: the address-changed notice and the mail check. */
export const notice: MailTemplate = {
	html: layout(`
${heading('{{heading}}')}
${paragraph('{{intro}}')}
${paragraph('{{detail}}')}
${paragraph('{{object}}')}`),
	text: `{{intro}}

{{detail}}

{{object}}

${signature}`
};
