import type { ConsentChange, ConsentRecord } from '#lib/domain/consent/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { Tables, Transaction, Work } from '../sql.ts';

/** Adds a record. Records are never changed, except by the purge of their account. */
export function* addConsentRecord(
	tx: Transaction,
	{ consentRecord: t }: Tables,
	{ id, userId, at, occasion }: ConsentChange,
	action: ConsentRecord['action'],
	email: Email
): Work<void> {
	const { source, place, wording } = occasion;
	yield tx
		.insert(t)
		.values({
			...{ id, userId, at, email, action, purpose: 'marketing' as const, source, place },
			wording: wording && wording.text,
			wordingVersion: wording && wording.version
		})
		.returning({ id: t.id });
}
