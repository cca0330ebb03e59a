import type { MailTemplate } from '../render-template.ts';
import { advice, code as codePiece, heading, layout, paragraph, signature } from './layout.ts';

/** Every mail with a code. */
export const code: MailTemplate = {
	html: layout(`
${heading('{{heading}}')}
${paragraph('{{intro}}')}
${codePiece('{{otp}}')}
${paragraph('{{lives}}')}
${advice('{{ignore}}')}`),
	text: `{{intro}}

{{otp}}

{{lives}}

{{ignore}}

${signature}`
};
