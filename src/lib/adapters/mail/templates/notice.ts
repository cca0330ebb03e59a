import type { MailTemplate } from '../render-template.ts';
import { layout } from './layout.ts';
import { objection, paragraph, signature, title } from './pieces.ts';

/**
 * Says what happened and what to do if it was not you. For email changes.
 */
export const notice: MailTemplate = {
	html: layout(`
${title.html}
${paragraph('{{intro}}')}
${paragraph('{{effect}}')}
${paragraph('{{detail}}')}
${objection.html}`),
	text: `${title.text}

{{intro}}

{{effect}}

{{detail}}

${objection.text}

${signature}`
};
