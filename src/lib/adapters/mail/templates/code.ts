import type { MailTemplate } from '../render-template.ts';
import { layout } from './layout.ts';
import { advice, code as codePiece, heading, paragraph, signature } from './pieces.ts';

/** The template of all emails with a code. */
export const code: MailTemplate = {
	html: layout(`
${heading('{{heading}}')}
${paragraph('{{intro}}')}
${codePiece('{{otp}}')}
${paragraph('{{lives}}')}
${advice('{{requested}} {{ignore}}')}`),
	text: `{{intro}}

{{otp}}

{{lives}}

{{requested}} {{ignore}}

${signature}`
};
