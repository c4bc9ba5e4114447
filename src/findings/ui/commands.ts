import { copyCommands } from './copy';
import { countsCommands } from './counts';
import { filterCommands } from './filter';
import { findingsCommands, type FindingsDeps } from './findingsCommands';
import { goToCommands } from './goToFinding';
import { loadAllCommands } from './loadAll';
import { requestBodyCommands } from './requestBody';
import { scorecardCommands } from './scorecardsCommands';
import type { RequestBodyFiles } from './requestBodyFiles';

/** The commands about scorecards and findings. */
export function commands(deps: FindingsDeps & { bodies: RequestBodyFiles }) {
  return {
    ...scorecardCommands(deps),
    ...findingsCommands(deps),
    ...loadAllCommands(deps),
    ...filterCommands(deps),
    ...countsCommands(deps),
    ...goToCommands(deps),
    ...copyCommands(deps),
    ...requestBodyCommands(deps),
  };
}
