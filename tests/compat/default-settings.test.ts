import { describe } from 'vitest';
import { onBothInLongForm } from '../support/http/fixtures.ts';
import { account } from './account.cases.ts';
import { differences } from './differences.cases.ts';
import { sessions } from './sessions.cases.ts';

// One server per database for all of them: starting one costs more than the cases do.
onBothInLongForm((fixture) => {
	describe('sessions', () => sessions(fixture));
	describe('the account', () => account(fixture));
	describe('differences on purpose', () => differences(fixture));
});
