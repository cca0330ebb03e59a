import { describe, expect, it } from 'vitest';
import { runNode } from '../support/process/run-program.ts';
import { projectRoot } from '../support/files/scratch-copy.ts';

describe('plain Node', () => {
	it('runs the domain unchanged, without compiler, bundler or framework', async () => {
		const script = `
			const { parseEmail } = await import('./src/lib/domain/email.ts');
			const { generateCode } = await import('./src/lib/domain/sign-in/code.ts');
			const { makeUseCases } = await import('./src/lib/domain/use-cases.ts');
			const email = parseEmail(' Ada@Example.com ', { toAscii: (name) => name });
			const code = generateCode({ bytes: (count) => new Uint8Array(count).fill(7) });
			console.log(JSON.stringify({ email, code, useCases: typeof makeUseCases }));
		`;
		const run = await runNode(projectRoot, '--no-warnings', '--input-type=module', '-e', script);
		expect(run).toEqual({
			status: 0,
			output: `${JSON.stringify({
				email: { ok: true, value: 'ada@example.com' },
				code: '777777',
				useCases: 'function'
			})}\n`
		});
	});
});
