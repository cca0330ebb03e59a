import type { MailTemplate } from '../render-template.ts';
import { advice, code, heading, layout, paragraph, signature } from './layout.ts';

export const signInCode: MailTemplate = {
	html: layout(`
${heading('{{heading}}')}
${paragraph('{{intro}}')}
${code('{{otp}}')}
${paragraph('{{lives}}')}
${advice('{{ignore}}')}`),
	text: `{{intro}}

{{otp}}

{{lives}}

{{ignore}}

${signature}`
};
