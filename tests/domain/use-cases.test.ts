import { expect, test } from 'vitest';
import { account } from '#lib/domain/account/use-cases.ts';
import { consent } from '#lib/domain/consent/use-cases.ts';
import { delivery } from '#lib/domain/delivery/use-cases.ts';
import { emailChange } from '#lib/domain/email-change/use-cases.ts';
import { events } from '#lib/domain/events/use-cases.ts';
import { oidc } from '#lib/domain/oidc/use-cases.ts';
import { operators } from '#lib/domain/operators/use-cases.ts';
import { purchases } from '#lib/domain/purchases/use-cases.ts';
import { sessions } from '#lib/domain/sessions/use-cases.ts';
import { signIn } from '#lib/domain/sign-in/use-cases.ts';

test('no two capabilities have a use-case of one name, of which one would be lost', () => {
	const all = [account, consent, delivery, emailChange, events, oidc, operators, purchases];
	const names = [...all, sessions, signIn].flatMap((capability) => Object.keys(capability));
	expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});
