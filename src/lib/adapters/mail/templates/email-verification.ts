import type { MailTemplate } from '../render-template.ts';
import { layoutWithHelp } from './layout.ts';
import { address, advice, button, helpFooter, paragraph, title } from './pieces.ts';

const withLink = (link: '{{verificationUrl}}' | '{{confirmationUrl}}'): MailTemplate => ({
	html: layoutWithHelp(`
${title.html}
${paragraph('{{intro}}')}
${button(link, '{{confirm}}')}
${paragraph('{{lives}}')}
${address('{{fallback}}', link)}
${advice('{{requested}} {{ignore}}')}`),
	text: `${title.text}

{{intro}}

${link}

{{lives}}

{{requested}} {{ignore}}

${helpFooter.text}`
});

/** A link that verifies an email address. */
export const emailVerification = withLink('{{verificationUrl}}');
/**
 * The same for the layout with a single entry page, where the specified placeholder has a different
 * name.
 */
export const emailConfirmation = withLink('{{confirmationUrl}}');
