import type { MailTemplate } from '../render-template.ts';
import { layoutWithHelp } from './layout.ts';
import { helpFooter, paragraph, title } from './pieces.ts';

export const mailCheck: MailTemplate = {
	html: layoutWithHelp(`
${title.html}
${paragraph('{{intro}}')}
${paragraph('{{detail}}')}
${paragraph('{{spam}}')}`),
	text: `${title.text}

{{intro}}

{{detail}}

{{spam}}

${helpFooter.text}`
};
