import type { MailTemplate } from '../render-template.ts';
import { layout } from './layout.ts';
import { address, button, footer, objection, paragraph, title } from './pieces.ts';

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

${footer.text}`
};

/** The same with a link that undoes it. */
export const noticeWithUndo: MailTemplate = {
	html: layout(`
${title.html}
${paragraph('{{intro}}')}
${paragraph('{{effect}}')}
${paragraph('{{detail}}')}
${paragraph('{{undo}}')}
${button('{{undoUrl}}', '{{undoIt}}')}
${address('{{fallback}}', '{{undoUrl}}')}
${objection.mild}`),
	text: `${title.text}

{{intro}}

{{effect}}

{{detail}}

{{undo}}

{{undoIt}}:
{{undoUrl}}

${objection.text}

${footer.text}`
};
