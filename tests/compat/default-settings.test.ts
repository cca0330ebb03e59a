import { describe } from 'vitest';
import { onBothDatabases } from '../support/http/worlds.ts';
import { account } from './account.cases.ts';
import { differences } from './differences.cases.ts';
import { sessions } from './sessions.cases.ts';

// One server per database for all of them: starting one costs more than the cases do.
onBothDatabases((world) => {
	describe('sessions', () => sessions(world));
	describe('the account', () => account(world));
	describe('differences on purpose', () => differences(world));
});
