import assert from 'node:assert/strict';
import { findNumberScale } from '../../../src/vocabulary/numberScales';
import { severityOrder } from '../../../src/vocabulary/severity';

describe('The scale of numbers', () => {
  it('The scale of numbers is that of a tool whose columns a table has', () => {
    for (const [scale, names, numbers] of [
      ['qualys', 'IP,QID,Title,Severity,PCI Vuln', '1,5'],
      ['veracode', 'Flaw ID,CWE ID,Severity,Remediation Status', '0,5'],
      ['nessus', 'Plugin ID,Plugin Name,Severity,Host', '0,4'],
      ['nexpose', 'Asset IP Address,Vulnerability ID,Severity', '3,10'],
      ['eslint', 'ruleId,severity,message,line,messageId', '1,2'],
    ] as const) {
      assert.equal(findNumberScale(numbers.split(','), names.split(',')), scale);
    }
  });

  it('The scale of numbers is unknown where one column alone is called as in a tool', () => {
    for (const [names, numbers] of [
      ['QID,Event Name,Severity,Magnitude,Source IP', '3,4,5'],
      ['file,line,plugin,rule,severity,message', '1,2'],
      ['Vulnerability ID,Host,Risk Rating,Risk Score', '1,3,4'],
      ['vulnerability_id,asset,severity,risk_score', '1,5'],
      ['issue_id,cwe,module,severity', '1,5'],
      ['rule_id,severity,message,line', '1,2'],
    ] as const) {
      assert.equal(findNumberScale(numbers.split(','), names.split(',')), undefined, names);
    }
  });

  it('The scale of numbers puts those that are not on it behind the others', () => {
    const order = severityOrder({ name: 'Severity', scale: 'qualys' });
    const place = (text: string) => order.positionOf(text) ?? NaN;
    assert.ok(place('5') < place('4'));
    assert.ok(place('1') < place('99999'));
  });
});
