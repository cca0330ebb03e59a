import { ensureBuild } from '../../../bin/fresh-build.ts';
import { installClients } from '../../../dev/install.ts';

/**
 * Runs once before all workers, so that the tests find the client under test and a server for it.
 */
export default (): void => {
	installClients((line) => console.log(line));
	ensureBuild((line) => console.log(line));
};
