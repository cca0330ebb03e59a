import { ada, type MailDefinition, type MailOf } from './mail-definition.ts';
import { letter, paragraph } from './layout.ts';

const template = letter(paragraph('{{intro}}'), paragraph('{{spam}}'));

export const mailCheck: MailDefinition<MailOf<'mail_check'>> = {
	name: 'test mail',
	write: (_, { site }) => ({
		template,
		subject: `Test email from ${site}`,
		values: {
			intro: `The email settings of ${site} work.`,
			spam: 'If this email arrived in the spam folder, check SPF, DKIM and DMARC of the sending domain.',
			preheader: 'The email settings work.'
		}
	}),
	examples: [{ to: ada }]
};
