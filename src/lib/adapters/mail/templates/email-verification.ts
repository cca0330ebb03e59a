import type { MailTemplate } from '../render-template.ts';
import { address, advice, button, heading, layout, paragraph, signature } from './layout.ts';

/** A link that proves an address; `{{confirmationUrl}}` is the same link by its other name. */
export const emailVerification: MailTemplate = {
	html: layout(`
${heading('{{heading}}')}
${paragraph('{{intro}}')}
${button('{{verificationUrl}}', '{{confirm}}')}
${paragraph('{{lives}} {{fallback}}')}
${address('{{verificationUrl}}')}
${advice('{{ignore}}')}`),
	text: `{{intro}}

{{verificationUrl}}

{{lives}}

{{ignore}}

${signature}`
};
