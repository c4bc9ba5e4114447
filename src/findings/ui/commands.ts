import { copyCommands } from './copy';
import { filterCommands } from './filter';
import { findIssueTypesCommands } from './findIssueTypes';
import { findingsCommands, type FindingsCommandDeps } from './findingsCommands';
import { loadAllCommands } from './loadAllCommands';
import { requestBodyCommands } from './requestBody';
import { scorecardCommands } from './scorecardsCommands';
import type { RequestBodyFiles } from './requestBodyFiles';

/** The commands about scorecards and findings. */
export function commands(deps: FindingsCommandDeps & { bodies: RequestBodyFiles }) {
  return {
    ...scorecardCommands(deps),
    ...findIssueTypesCommands(deps),
    ...findingsCommands(deps),
    ...loadAllCommands(deps),
    ...filterCommands(deps),
    ...copyCommands(deps),
    ...requestBodyCommands(deps),
  };
}
