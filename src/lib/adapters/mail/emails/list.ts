import { accountDeleted } from './account-deleted.ts';
import { changeLink } from './change-link.ts';
import { changeNotice, changeUndone, operatorChangeNotice } from './change-notices.ts';
import {
	emailChangeCode,
	emailVerificationCode,
	reauthenticationCode,
	signInCode
} from './codes.ts';
import type { MailDefinition, MailOf, OutgoingMail } from './mail-definition.ts';
import { mailCheck } from './mail-check.ts';
import { newDevice } from './new-device.ts';
import { operatorEmailChangeCode } from './operator-email-change.ts';
import { welcome } from './welcome.ts';

/**
 * Every email, by its kind. Renderer, console, preview and the names of an operator's templates
 * follow from this list. `npm run check:types` fails while it lacks an email that a use-case sends.
 */
export const mailDefinitions: {
	readonly [Kind in OutgoingMail['kind']]: MailDefinition<MailOf<Kind>>;
} = {
	sign_in_code: signInCode,
	email_verification_code: emailVerificationCode,
	email_change_code: emailChangeCode,
	email_change_link: changeLink,
	reauthentication_code: reauthenticationCode,
	email_change_notice: changeNotice,
	email_change_undone: changeUndone,
	account_deleted: accountDeleted,
	new_device: newDevice,
	operator_email_change_code: operatorEmailChangeCode,
	operator_email_change_notice: operatorChangeNotice,
	welcome,
	mail_check: mailCheck
};

export const definitionOf = <M extends OutgoingMail>({ kind }: M): MailDefinition<M> =>
	mailDefinitions[kind] as unknown as MailDefinition<M>;

export const examplesOf = <Kind extends OutgoingMail['kind']>(
	kind: Kind
): readonly [MailOf<Kind>, ...MailOf<Kind>[]] =>
	mailDefinitions[kind].examples.map((example) => ({ kind, ...example })) as never;
