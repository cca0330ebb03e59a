import type { MailTemplate } from '../render-template.ts';
import { layout } from './layout.ts';
import { address, button, footer, objection, paragraph, title } from './pieces.ts';

/** Says where an account was signed in to, with a link that signs the device out. */
export const newDevice: MailTemplate = {
	html: layout(`
${title.html}
${paragraph('{{intro}}')}
${paragraph('{{detail}}')}
${paragraph('{{known}}')}
${paragraph('{{unknown}}')}
${button('{{newDeviceUrl}}', '{{notMe}}')}
${address('{{fallback}}', '{{newDeviceUrl}}')}
${objection.mild}`),
	text: `${title.text}

{{intro}}

{{detail}}

{{known}}

{{unknown}}

{{notMe}}:
{{newDeviceUrl}}

${objection.text}

${footer.text}`
};
