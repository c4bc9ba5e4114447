/** Files in many forms. */
export const forms: Readonly<Record<string, string>> = {
  // JSON
  'one object.json': '{"severity":"high","n":5,"at":"2026-11-21","more":{"x":1}}\n',
  'one object over lines.json': '{\n  "severity": "high",\n  "n": 5\n}\n',
  'objects one after another.json': '{\n"s":"high","n":1\n}\n{\n"s":"low","n":2\n}\n{"n":3}',
  'objects and arrays.json': '{\n"s":"high"\n}\n[1, 2]\n{"s":"low"}',
  'objects and a number.json': '{\n"s":"high"\n}\n5\n{"s":"low"}\n',
  'array.json': '[\n  {"s": "high", "n": 1},\n  {"s": "low", "n": 2.5}\n]\n',
  'array of values.json': '[1, "x", null, [1, 2], {}, true, 2.5, "2026-01-01"]',
  'array with a mark.json': '\ufeff[{"a":1},{"a":2}]',
  'empty array.json': '[]',
  'further arrays.json': '[{"a":1}]\n[{"a":2},{"a":3}]\n',
  'further arrays over lines.json': '[\n{"a":1}\n]\n[{"a":2},{"a":3}]\n',
  'comma at the end of the array.json': '[{"a":1},{"a":2},]',
  'comma at the end of the list.json': '{"list":[{"a":1},{"a":2},]}',
  'further empty arrays.json': '[{"a":1}] []\n',
  'empty array before.json': '[] [{"a":2}]\n',
  'text after the array.json': '[{"a":1},{"a":2}] end',
  'cut array.json': '[{"a":1},{"a":2}',
  'cut array in a record.json': '[{"a":1},{"a":',
  'invalid element.json': '[{"a":1},{a:2},{"a":3}]',
  'member.json': '{"total":2,"findings":[{"a":1},{"a":2}]}',
  'member of a member.json': '{"data":{"total":2,"findings":[{"a":1},{"a":2}]},"more":[1]}',
  'member with values.json': '{"list":[1,null,"x",[1],true]}',
  'member with a dot.json': '{"data.findings":[{"a":1},{"a":2}]}',
  'members with and without a dot.json': '{"a":{"b":[{"x":1}]},"a.b":[{"x":1},{"x":2},{"x":3}]}',
  'member named twice.json': '{"list":null,"list":[{"a":1},{"a":2}]}',
  'member of a member named twice.json': '{"d":{"x":1},"d":{"list":[{"a":1},{"a":2}]}}',
  'value after the member.json': '{"list":[{"a":1},{"a":2}]} {"list":[{"a":3}]}',
  'comma after the member.json': '{"list":[{"a":1},{"a":2}] "x":1}',
  'broken before the member.json': '{"x":tru,"list":[{"a":1},{"a":2}]}',
  'surrogate beside the member.json': '{"x":"\\ud800","list":[{"a":1},{"a":2}]}',
  // NDJSON
  'lines.ndjson': '{"a":1,"b":"x"}\n{"a":2}\r\n{"b":""}\n{"b":null}\n',
  'blank lines.ndjson': '\n{"a":1}\n\n  \t\n{"a":2}\r\n\r\n  {"a":3}  \n\n',
  'invalid lines.ndjson': '{"a":1}\nnonsense\n{"a":2}\n{"a":\n{"a":3}}\n{"a":4} {"a":5}\n"x\n',
  'cut line.ndjson': '{"a":1}\n{"a":2}\n{"a":',
  'lines that DuckDB reads.ndjson': '{"a":1}\n{"a":NaN}\n{"a":2,}\n{"a":3}\n',
  'mark before lines.ndjson': '\ufeff{"a":1}\n{"a":2}\n',
  'lines of values.ndjson': '1\n"x"\nnull\n[1, 2]\n{}\ntrue\n{"a":1}\n',
  'only invalid lines.ndjson': 'x\ny\n',
  'empty.ndjson': '',
  'lone surrogate.ndjson': '{"a":"\\ud800"}\n{"a":"x"}\n',
  'paired surrogates.ndjson': '{"a":"\\ud83d\\ude00"}\n{"a":"\\u0130"}\n',
  'member twice.ndjson': '{"a":1,"b":2}\n{"a":3,"a":4}\n',
  'NUL.ndjson': '{"a":"x\\u0000y"}\n{"a":"x"}\n',
  'names.ndjson':
    '{"a b":1,"a.b":2,"a":{"b":3},"it\'s":4,"q\\"q":5,"b\\\\b":6,"*":7,"":8,"é":9,"$":10,"a[0]":11}\n' +
    '{"A B":1,"a/b":2,"a~b":3,"#":4,"x\\ny":5,"0":6,"-":7,"\\u0061":{"\\u0062":8}}\n' +
    '{"a":{"":1,"*":2,"0":3},"count":5,"report":6,"json":7}\n{"a":[5, 6]}\n{"a":{"0\\"":1}}\n',
  'index and name.ndjson': '{"a":{"0":1}}\n{"a":[5]}\n',
  'index and quote.ndjson': '{"a":{"0":{"q\\"":1}}}\n{"a":[{"q\\"":2}]}\n',
  'mixed.ndjson':
    '{"v":5}\n{"v":"5"}\n{"v":true}\n{"v":"true"}\n{"v":[1]}\n{"v":"[1]"}\n{"v":null}\n{}\n' +
    '{"v":""}\n{"v":"2026-01-02"}\n{"v":{"x":1}}\n{"v":{}}\n{"v":1e1}\n{"v":"x"}\n',
  'nested.ndjson': '{"a":{"b":{"c":{"d":{"e":1}}}}}\n{"a":{"b":5}}\n{"a":null}\n{"a":{"b":null}}\n',
  'lists.ndjson': '{"a":[1,2]}\n{"a":[1, 2]}\n{"a":[ ]}\n{"a":["\\u00e9",{"x":1.0}]}\n',
  'large numbers.ndjson':
    '{"n":9007199254740992}\n{"n":9007199254740993}\n{"n":18446744073709551616}\n{"n":-5}\n',
  'long decimals.ndjson': '{"n":0.1234567890123456789,"m":1}\n{"n":0.5,"m":2}\n',
  'huge numbers.ndjson': '{"n":1e400}\n{"n":2}\n{"n":-1e400}\n',
  'numbers in many ways.ndjson':
    '{"n":1e3}\n{"n":1000}\n{"n":1.50}\n{"n":-0}\n{"n":1.0}\n{"n":1E-7}\n{"n":12.5}\n',
  'dates.ndjson':
    '{"d":"2026-11-21"}\n{"d":"2026-11-21T08:30Z"}\n{"d":"2026-11-21T08:30:00,5Z"}\n{"d":""}\n',
  'plain dates.ndjson':
    '{"d":"2026-11-21"}\n{"d":"2026-11-21T08:30:00Z"}\n{"d":"2026-11-21T09:30:00.25+01:00"}\n' +
    '{"d":"2026-11-21 08:30"}\n{"d":""}\n{"d":null}\n{}\n',
  'dates among texts.ndjson':
    '{"d":"2026-11-21"}\n{"d":"2026-11-21 08:30:00 Europe/Berlin"}\n{"d":"2026-11-21T24:00:00Z"}\n' +
    '{"d":"2026-02-30"}\n{"d":" 2026-01-01 "}\n{"d":"infinity"}\n',
  'letters.ndjson': '{"t":"İzmir"}\n{"t":"izmir"}\n{"t":"ΟΔΟΣ"}\n{"t":"οδοσ"}\n{"t":"É"}\n',
  'severities.ndjson':
    '{"severity":"high"}\n{"severity":" High"}\n{"severity":"LOW"}\n{"severity":"odd"}\n{}\n',
  'severities with tabs.ndjson': '{"severity":"high"}\n{"severity":"\\tLow"}\n',
  // CSV
  'plain.csv': 'severity,n,at\nhigh,1,2026-11-21\nlow,2.5,2026-11-20T10:00:00Z\n,,2026-01-01\n',
  'separator named.csv': 'sep=;\r\nname;n\r\na;1,5\r\nb;2\r\n',
  'separator named without heading.csv': 'sep=;\n1;2\n3;4\n',
  'blank lines.csv': 'name,n\n\na,1\n\n\nb,2\n\n',
  'blank lines at first.csv': '\n\nname,n\na,1\nb,2\n',
  'blank rows.csv': 'Severity,Host\nHigh,a\n,\nLow,b\n,\n,\n',
  'rows of spaces.csv': 'name,n\na,1\n  ,\t\nb,2\n',
  'one column.csv': 'name\na\nb\n""\nc\n',
  'one column with blank lines.csv': 'name\na\n\nb\n',
  'one column with a blank end.csv': 'name\na\nb\n\n',
  'quoted empty texts.csv': 'a,b\n"",""\n"",x\ny,\n',
  'title.csv': 'Report of 2026\nname,host,n\na,x,1\nb,y,2\n',
  'decimal commas.csv': 'name;n\na;1,5\nb;0,75\nc;2\nd;.5\n',
  'numbers.csv': 'name,n\na,.9\nb,+5\nc,5.\nd," 3"\ne,0.5\nf,1e3\ng,-.5\n',
  'numbers with blanks.csv': 'name,n\na, 3\nb,3 \nc,\t4\nd,10\n',
  'numbers among texts.csv':
    'name,n\na,.9\nb,007\nc,1_000\nd,5\ne,inf\nf,x\ng,2026-01-01\nh,true\n',
  'commas among texts.csv': 'name;n\na;1,5\nb;x\nc;1.25\nd;1,2,3\n',
  'large numbers.csv': 'name,n\na,9007199254740992\nb,9007199254740993\nc,1\n',
  'long decimals.csv': 'name,n\na,0.1234567890123456789\nb,0.1234567890123456788\nc,1\n',
  'dates.csv': 'name,d\na,2026-11-21\nb, 2026-11-20 \nc,2026-11-21T08:30:00Z\nd,\n',
  'odd dates.csv': 'name,d\na,2026-11-21\nb,2026-11-21T08:30Z\nc,2026-11-21T08:30:60Z\n',
  'headings.csv': 'a,A,a,,,"a",report,json,count,É,é,a_2\n1,2,3,4,5,6,7,8,9,10,11,12\n',
  'heading with quotes.csv': '"a ""b""",it\'s,"x\ny",a.b\n1,2,3,4\n5,6,7,8\n',
  'quote never closed.csv': 'a,b\n"x,1\ny,2\nz,3\n',
  'text after a quote.csv': 'a,b\n"x"y,1\nz,2\n',
  'quotes within fields.csv': 'a,b\nx"y,1\n "z",2\n5" disk,"6"" disk"\n',
  'CR.csv': 'a,b\r1,x\r2,y\r',
  'CR and LF.csv': 'a,b\r\n1,x\n2,y\r\n3,"z\nz"\n',
  'CR within fields.csv': 'a,b\n1,x\rx\n2,y\n',
  'CR within quotes.csv': 'a,b\n1,"x\rx"\n2,"y\r\ny"\n',
  'two CR.csv': 'a,b\n1,x\r\r\n2,y\n',
  'CR rows and one LF.csv': 'a,b\r1,x\r2,y\n',
  'CR rows with LF within.csv': 'a,b\r1,"x\nx"\r2,y\r',
  'short rows.csv': 'a,b,c\n1\n2,3\n4,5,6\n',
  'long rows.csv': 'a,b\n1,2,3\n4,5\n6,7,8,9\n',
  'no heading.csv': '1,2\n3,4\n5,6\n',
  'no heading, long rows.csv': '1,2\n3,4,5\n6\n',
  'no last line end.csv': 'a,b\n1,2\n3,"4"',
  'mark.csv': '\ufeffa,b\n1,2\n',
  'NUL within.csv': `a,b\n${'x'.repeat(70_000)}\0z,1\nz\0,2\n`,
  'booleans.csv': 'a,b\ntrue,1\nfalse,2\nTRUE,3\n,4\n',
  'only a heading.csv': 'name,host\n',
  'tabs.tsv': 'a\tb\nx\t"1"\ny\t2\n',
  'bars.csv': 'a|b\nx|1\ny|2\n',
  'hashes.csv': 'a,b\n#x,1\n#y,2\n',
  'backslashes.csv': 'a,b\n\\,1\n"\\",2\n"x\\""y",3\n',
};

/** Those that have no SQL at all for DuckDB, each with the reason. */
export const refusedForms: Readonly<Record<string, string>> = {
  'objects and arrays.json': 'The file has rows that are not objects.',
  'objects and a number.json': 'The file is damaged, or has records that cannot be read.',
  'array of values.json': 'The file has rows that are not objects.',
  'empty array.json': 'The table shows no columns.',
  'further arrays over lines.json':
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  'comma at the end of the array.json':
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  'further empty arrays.json':
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  'empty array before.json':
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  'text after the array.json': 'The file is damaged, or has records that cannot be read.',
  'cut array.json': 'The file is damaged, or has records that cannot be read.',
  'cut array in a record.json': 'The file is damaged, or has records that cannot be read.',
  'invalid element.json': 'The file is damaged, or has records that cannot be read.',
  'member with a dot.json':
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  'members with and without a dot.json':
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  'member named twice.json':
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  'member of a member named twice.json':
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  'comma after the member.json':
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  'broken before the member.json':
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  'surrogate beside the member.json':
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  'lines that DuckDB reads.ndjson': 'The file is damaged, or has records that cannot be read.',
  'mark before lines.ndjson': 'The file begins with a byte order mark.',
  'lines of values.ndjson': 'The file has rows that are not objects.',
  'empty.ndjson': 'The table shows no columns.',
  'lone surrogate.ndjson':
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  'member twice.ndjson':
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  'names.ndjson': 'SQL cannot ask for a member with the name "a.".',
  'index and quote.ndjson': 'SQL cannot ask for a member with the name "a.0.q"".',
  'long decimals.ndjson': 'The column "n" has numbers with too many digits for SQL.',
  'huge numbers.ndjson': 'The column "n" has numbers with too many digits for SQL.',
  'separator named.csv': 'The file has lines that are not rows, such as a title or blank lines.',
  'separator named without heading.csv':
    'The file has lines that are not rows, such as a title or blank lines.',
  'blank lines at first.csv':
    'The file has lines that are not rows, such as a title or blank lines.',
  'blank rows.csv': 'The file has lines that are not rows, such as a title or blank lines.',
  'rows of spaces.csv': 'The file has lines that are not rows, such as a title or blank lines.',
  'title.csv': 'The file has lines that are not rows, such as a title or blank lines.',
  'quote never closed.csv': 'The file is damaged, or has records that cannot be read.',
  'text after a quote.csv': 'The file is damaged, or has records that cannot be read.',
  'quotes within fields.csv': 'The file has quotes or line ends that SQL would read differently.',
  'CR within fields.csv': 'The file has quotes or line ends that SQL would read differently.',
  'CR within quotes.csv': 'The file has quotes or line ends that SQL would read differently.',
  'two CR.csv': 'The file has quotes or line ends that SQL would read differently.',
  'CR rows and one LF.csv': 'The file has quotes or line ends that SQL would read differently.',
  'CR rows with LF within.csv': 'The file has quotes or line ends that SQL would read differently.',
  'CR.csv': 'The file has quotes or line ends that SQL would read differently.',
  'blank lines.ndjson': 'The file has lines that are not rows, such as a title or blank lines.',
  'further arrays.json': 'The file has rows that are not objects.',
  'member with values.json': 'The file has rows that are not objects.',
  'array with a mark.json': 'The file begins with a byte order mark.',
  'comma at the end of the list.json':
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  'cut line.ndjson': 'The file is damaged, or has records that cannot be read.',
  'invalid lines.ndjson': 'The file is damaged, or has records that cannot be read.',
  'only invalid lines.ndjson': 'The file is damaged, or has records that cannot be read.',
};
