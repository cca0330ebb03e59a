import type { LaneMailers, Mail, Mailer, Purpose } from '#lib/domain/index.ts';
import type { CodeCounter } from './count-codes.ts';
import type { OpenCode } from './open-codes.ts';

type CodeMail = Extract<Mail, { code: unknown }>;

const PURPOSES: Readonly<Record<CodeMail['kind'], Purpose>> = {
	sign_in_code: 'sign_in',
	email_verification_code: 'email_verification',
	email_change_code: 'email_change',
	reauthentication_code: 'reauthentication'
};

/** The code in an email. Null for other emails. */
const codeIn = (mail: Mail): OpenCode | null =>
	'code' in mail
		? {
				purpose: PURPOSES[mail.kind],
				email: mail.to,
				requestedAt: mail.at,
				lifetime: mail.lifetime
			}
		: null;

/** Tells the counter about each code that a mailer sends. */
export const countedMailer = (mailer: Mailer, counter: Pick<CodeCounter, 'attempted'>): Mailer => ({
	send: async (mail, id) => {
		const delivery = await mailer.send(mail, id);
		const code = codeIn(mail);
		if (code !== null) counter.attempted(code, delivery);
		return delivery;
	}
});

export const countedLanes = (
	{ following, conditional }: LaneMailers,
	counter: Pick<CodeCounter, 'attempted'>
): LaneMailers => ({
	following: countedMailer(following, counter),
	conditional: {
		...countedMailer(conditional, counter),
		rehearse: async (mail) => {
			await conditional.rehearse(mail);
			const code = codeIn(mail);
			if (code !== null) counter.attempted(code, 'not_meant');
		}
	}
});
