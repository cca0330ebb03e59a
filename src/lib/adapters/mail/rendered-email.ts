import type { EmailKind } from './emails/email-kind.ts';
import * as list from './emails/list.ts';

type MailOf<Kind> = Kind extends EmailKind<infer M> ? M : never;

/** Everything that can be rendered as an email. */
export type OutgoingEmail = MailOf<(typeof list)[keyof typeof list]>;

/** Does not compile while the list names an email by another kind than its own. */
const kinds: {
	readonly [Kind in OutgoingEmail['kind']]: EmailKind<Extract<OutgoingEmail, { kind: Kind }>>;
} = list;

/** How emails of this kind are written. */
export const kindOf = <M extends OutgoingEmail>({ kind }: M): EmailKind<M> =>
	kinds[kind] as unknown as EmailKind<M>;

export interface RenderedEmail {
	readonly subject: string;
	readonly html: string;
	readonly text: string;
}

export type RenderEmail = (email: OutgoingEmail) => RenderedEmail;
