import type { MailTemplate } from '../render-template.ts';
import { layout } from './layout.ts';
import { button, footer, objection, paragraph, title } from './pieces.ts';

export const welcome: MailTemplate = {
	html: layout(`
${title.html}
${paragraph('{{intro}}')}
${paragraph('{{how}}')}
${button('{{app_url}}', '{{open}}')}
${objection.mild}`),
	text: `${title.text}

{{intro}}

{{how}}

{{open}}: {{app_url}}

${objection.text}

${footer.text}`
};
