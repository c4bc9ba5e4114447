import { command } from '../../helpers';
import { type CountedDemo, demo, halvorsen, type List, signIn } from '../../services';

export const openPorts: List = { scorecardId: halvorsen, issueType: 'open_port' };
export const credentials: List = {
  scorecardId: halvorsen,
  issueType: 'compromised_credentials_found',
};

/** The demo, signed in, with both lists in the Findings view. */
export async function demoWithTwoLists(): Promise<CountedDemo> {
  const service = await demo();
  await signIn(service);
  await command('scorecard.addScorecard', {
    id: halvorsen,
    issueTypes: [openPorts.issueType, credentials.issueType],
  });
  return service;
}
