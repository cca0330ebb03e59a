import type { MailTemplate } from '../render-template.ts';
import { layout } from './layout.ts';
import { emphasis, heading, paragraph, signature } from './pieces.ts';

/**
 * Says what happened and what to do if it was not you. Used for notices of an email change and for
 * the mail check.
 */
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
