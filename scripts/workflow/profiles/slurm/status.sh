#!/usr/bin/env bash
# success, running or failed: a job of Slurm, without its accounting. A controller that does not
# answer is no end of a job.
case $(scontrol -o show job "$1" 2>&1) in
    *JobState=COMPLETED*) echo success ;;
    *JobState=PENDING* | *JobState=RUNNING* | *JobState=CONFIGURING*) echo running ;;
    *JobState=COMPLETING* | *JobState=SUSPENDED* | *JobState=REQUEUE*) echo running ;;
    *JobState=* | *"Invalid job id"*) echo failed ;;
    *) echo running ;;
esac
