import type { MailTemplate } from '../render-template.ts';
import { layout } from './layout.ts';
import { button, footer, objection, paragraph, title } from './pieces.ts';

/**
 * A notice with a way to restore the account. The link opens the sign-in page and contains no
 * credential.
 */
export const accountDeleted: MailTemplate = {
	html: layout(`
${title.html}
${paragraph('{{intro}}')}
${paragraph('{{detail}}')}
${paragraph('{{restore}}')}
${button('{{app_url}}', '{{open}}')}
${objection.html}`),
	text: `${title.text}

{{intro}}

{{detail}}

{{restore}}

{{open}}: {{app_url}}

${objection.text}

${footer.text}`
};
