import assert from 'node:assert/strict';
import { findVectorScore } from '../../../src/vocabulary/cvss';

/** Base scores as the calculator of FIRST gives them. */
const scores: readonly (readonly [vector: string, score: number])[] = [
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
  ['CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
  ['CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 7.8],
  ['CVSS:3.1/AV:N/AC:H/PR:H/UI:N/S:U/C:N/I:N/A:L', 2.2],
  ['CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.6],
  ['CVSS:3.1/AV:A/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:L', 6.5],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
  ['CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:C/C:H/I:H/A:H', 9.1],
  // Metrics that are optional do not count.
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:P/RL:O', 9.8],
];

describe('The score of a vector of CVSS', () => {
  it('The score of a vector of CVSS is its base score', () => {
    assert.deepEqual(
      scores.map(([vector]) => findVectorScore(vector)),
      scores.map(([, score]) => score),
    );
  });

  it('The score of a vector of CVSS is unknown for other versions, and for what is no vector', () => {
    for (const text of [
      '',
      '9.8',
      'AV:N/AC:L/Au:N/C:P/I:P/A:P',
      'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
      'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H',
      'CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:X/C:H/I:H/A:H',
    ]) {
      assert.equal(findVectorScore(text), undefined, text);
    }
  });
});
