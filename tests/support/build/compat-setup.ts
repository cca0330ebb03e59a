import { ensureBuild } from '../../../bin/fresh-build.ts';
import { ensureCompat } from '../../../dev/fresh-compat.ts';

/** Once before all workers, so that the tests find the client they are about and a server for it. */
export default (): void => {
	ensureCompat((line) => console.log(line));
	ensureBuild((line) => console.log(line));
};
