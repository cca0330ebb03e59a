import type { MailTemplate } from '../render-template.ts';
import { layout } from './layout.ts';
import { emphasis, heading, paragraph, signature } from './pieces.ts';

/** What happened, and what to do if it was not you: the notices of a change of address and the mail check. */
export const notice: MailTemplate = {
	html: layout(`
${heading('{{heading}}')}
${paragraph('{{intro}}')}
${paragraph('{{detail}}')}
${emphasis('{{object}}')}`),
	text: `{{intro}}

{{detail}}

{{object}}

${signature}`
};
