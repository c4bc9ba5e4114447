"""
Answers questions of `spark.ts` in one Spark session: starting Spark takes longer than a hundred answers.

    python spark.py MASTER

Each line of the input is {"id": 1, "statements": ["..."]}, and each line of the output
{"id": 1, "rows": [["..."]]}, the answer to the last of the statements, or {"id": 1, "error": "..."}.
The first line of the output is the versions. Ends when the input does.
"""

import json
import os
import platform
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from pyspark.sql import SparkSession

# Several files of a kind are read by several tasks, and so are the parts of a file that is not tiny.
settings = {
    "spark.ui.enabled": "false",
    "spark.driver.memory": "1g",
    # The compiler of Java would take more time than short answers do.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m -XX:+UseSerialGC",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.files.maxPartitionBytes": "64k",
}
# Java writes its warnings to the standard output.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

builder = SparkSession.builder.master(sys.argv[1])
for name, value in settings.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
output = threading.Lock()
sessions = threading.local()


def write(answer):
    with output:
        print(json.dumps(answer), file=answers, flush=True)


def text(value):
    return None if value is None else str(value)


def answer(question):
    try:
        # A view belongs to a session.
        session = sessions.session = getattr(sessions, "session", None) or spark.newSession()
        for statement in question["statements"]:
            result = session.sql(statement)
        rows = [[text(value) for value in row] for row in result.collect()]
        write({"id": question["id"], "rows": rows})
    except Exception as error:
        write({"id": question["id"], "error": str(error)})


java = spark.sparkContext._jvm.java.lang.System.getProperty("java.version")
write({"spark": spark.version, "java": java, "python": platform.python_version()})
# Most of a short answer is planning, which one thread does.
with ThreadPoolExecutor(4) as pool:
    for line in sys.stdin:
        pool.submit(answer, json.loads(line))
spark.stop()
