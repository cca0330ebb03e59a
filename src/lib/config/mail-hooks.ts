import { ok } from '#lib/domain/errors.ts';
import { refuse, type Checked, type Findings } from './checked.ts';

/** A topic of Amazon SNS. */
export interface SnsTopic {
	readonly arn: string;
	readonly region: string;
}

/** What each mail provider proves when it reports bounces. Null where none is expected. */
export interface MailHooksConfig {
	/** The signing secret of the webhook. */
	readonly resend: string | null;
	/** `user:password`, as in the URL of the webhook. */
	readonly postmark: string | null;
	readonly ses: SnsTopic | null;
}

/** The metadata field in which Postmark returns our Message-ID. It allows 20 characters. */
export const POSTMARK_FIELD = 'message-id';

export const readMailHooks = ({ value, note }: Findings): MailHooksConfig => ({
	resend: note('EMAIL_HOOK_RESEND', parseResend(value('EMAIL_HOOK_RESEND')), null),
	postmark: note('EMAIL_HOOK_POSTMARK', parsePostmark(value('EMAIL_HOOK_POSTMARK')), null),
	ses: note('EMAIL_HOOK_SES', parseTopic(value('EMAIL_HOOK_SES')), null)
});

// No message repeats a secret.
const parseResend = (value: string | undefined): Checked<string | null> =>
	value === undefined || /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(value)
		? ok(value ?? null)
		: refuse(
				'it is not a signing secret of Resend',
				'Copy the Signing Secret of the webhook, which starts with whsec_'
			);

const parsePostmark = (value: string | undefined): Checked<string | null> =>
	value === undefined || /^[\w-]+:[\w-]{20,}$/.test(value)
		? ok(value ?? null)
		: refuse(
				'it is not a user name and a password of at least 20 letters, digits, - and _',
				'Write user:password, with a random password. The URL of the webhook contains the same'
			);

const parseTopic = (arn: string | undefined): Checked<SnsTopic | null> => {
	if (arn === undefined) return ok(null);
	const region = /^arn:aws(?:-us-gov)?:sns:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:[\w-]{1,256}$/.exec(
		arn
	)?.[1];
	return region === undefined
		? refuse(
				`"${arn}" is not the ARN of an SNS topic`,
				'Copy it from the topic, such as arn:aws:sns:eu-west-1:123456789012:bounces'
			)
		: ok({ arn, region });
};
