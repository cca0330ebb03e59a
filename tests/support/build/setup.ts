import { ensureBuild } from '../../../bin/lib/ensure-build.ts';
import { installClients } from '../../../dev/install.ts';
import { ensureAlphanumericBuild } from './alphanumeric.ts';

const say = (line: string): void => console.log(line);

/** Runs once before all workers, so that each finds a current build and the clients under test. */
export default (): void => {
	installClients(say);
	ensureBuild(say);
	ensureAlphanumericBuild(say);
};
