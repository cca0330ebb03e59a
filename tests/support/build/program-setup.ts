import { ensureBuild } from '../../../bin/fresh-build.ts';

/** Once before all workers: the operators' commands that some tests run are in the build. */
export default (): void => ensureBuild((line) => console.log(line));
