import type { MailTemplate } from '../render-template.ts';
import { layout } from './layout.ts';
import { advice, code as codePiece, paragraph, signature, title } from './pieces.ts';

/** The template of all emails with a code. */
export const code: MailTemplate = {
	html: layout(`
${title.html}
${paragraph('{{intro}}')}
${codePiece('{{otp}}')}
${paragraph('{{lives}}')}
${advice('{{requested}} {{ignore}}')}`),
	text: `${title.text}

{{intro}}

{{otp}}

{{lives}}

{{requested}} {{ignore}}

${signature}`
};
