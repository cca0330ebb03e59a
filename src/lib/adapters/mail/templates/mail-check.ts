import type { MailTemplate } from '../render-template.ts';
import { layout } from './layout.ts';
import { paragraph, signature, title } from './pieces.ts';

export const mailCheck: MailTemplate = {
	html: layout(`
${title.html}
${paragraph('{{intro}}')}
${paragraph('{{detail}}')}
${paragraph('{{spam}}')}`),
	text: `${title.text}

{{intro}}

{{detail}}

{{spam}}

${signature}`
};
