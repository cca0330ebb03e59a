declare const brand: unique symbol;

/**
 * A primitive with a name, so that the compiler does not confuse two kinds. Casts are allowed only
 * where a value is created, read from storage or verified.
 */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Primary keys are UUIDs, version 7, so that inserts stay ordered. */
export type UserId = Brand<string, 'UserId'>;
export type SessionId = Brand<string, 'SessionId'>;
export type ChallengeId = Brand<string, 'ChallengeId'>;
export type DeviceId = Brand<string, 'DeviceId'>;
export type PurchaseId = Brand<string, 'PurchaseId'>;
export type ConsentRecordId = Brand<string, 'ConsentRecordId'>;
export type UndoId = Brand<string, 'UndoId'>;
export type MailId = Brand<string, 'MailId'>;
export type EventId = Brand<string, 'EventId'>;
export type OidcClientId = Brand<string, 'OidcClientId'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Null for text that cannot be an id, so that it never reaches a store. */
const idParser =
	<Id extends string>() =>
	(value: string): Id | null =>
		UUID.test(value) ? (value as Id) : null;

export const parseSessionId = idParser<SessionId>();
export const parseUserId = idParser<UserId>();
export const parseMailId = idParser<MailId>();
export const parseEventId = idParser<EventId>();
export const parseOidcClientId = idParser<OidcClientId>();

export interface Ids {
	/** A UUID, version 7: later ones sort after earlier ones. */
	next(): string;
}
