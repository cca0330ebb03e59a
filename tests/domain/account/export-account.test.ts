import { expect, it } from 'vitest';
import { aSignedIn } from '../../support/domain/fixture.ts';

it('the file has everything that is kept about a person', async () => {
	const { fixture, signedIn: before } = await aSignedIn('ada@example.com');
	const moved = await fixture.move(before, 'ada@other.example');
	await fixture.askToMove(moved, 'third@example.com');
	const file = await fixture.exportAccount(moved.user.id, { kind: 'person' });
	expect(file).toMatchObject({
		account: { email: 'ada@other.example' },
		sessions: [{ id: moved.session.id }],
		pendingChange: { email: 'third@example.com' },
		undoable: [{ to: 'ada@example.com' }],
		devices: [],
		applications: [],
		consent: [],
		purchases: []
	});
});
