import type { MailTemplate } from '../render-template.ts';
import { layoutWithHelp } from './layout.ts';
import { advice, code as codePiece, helpFooter, paragraph, title } from './pieces.ts';

/** The template of all emails with a code. */
export const code: MailTemplate = {
	html: layoutWithHelp(`
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

${helpFooter.text}`
};
