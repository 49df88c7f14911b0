#!/bin/sh
# Starts and ends the processes of a local lab. It has no need of the JVM that called it, so that
# a lab can be cleaned up after that JVM was killed.
#
#   lab.sh start LAB PROCESS [CGROUP_DIR ...] -- COMMAND ...   becomes the command
#   lab.sh watch LAB OWNER_PID OWNER_START   waits for the owner's end, then cleans up
#   lab.sh clean LAB [logs]                  kills all, removes all; "logs" keeps the log folder
set -u
verb=$1
lab=$2

# The start time of a live process, in clock ticks since boot: with the pid it names one process
# for ever, where a pid alone may be used again. Nothing for a process that is gone or a zombie.
start_of() {
  # The process's name may hold blanks, so fields are counted after its closing bracket.
  stat=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null)
  case $stat in
    '' | Z*) ;;
    *) echo "$stat" | cut -d' ' -f20 ;;
  esac
}

members() {
  for file in "$lab"/run/*.pid; do
    [ -e "$file" ] || continue
    read -r pid start <"$file"
    [ "$(start_of "$pid")" = "$start" ] && echo "$pid"
  done
  # Also those whose pid file was lost.
  for file in $(grep -lzxF "TRIMTAB_LAB=$lab" /proc/[0-9]*/environ 2>/dev/null); do
    pid=${file#/proc/}
    pid=${pid%/environ}
    [ -n "$(start_of "$pid")" ] && echo "$pid"
  done
}

# Processes that ended though nobody asked them to.
lost() {
  for file in "$lab"/run/*.pid; do
    [ -e "$file" ] || continue
    read -r pid start <"$file"
    [ "$(start_of "$pid")" = "$start" ] || basename "$file" .pid
  done
}

# The kernel's delay accounting, which the machine's first lab has switched on, is switched off again
# after its last one: while a process runs in a lab's control group, it may be needed.
put_back() {
  [ -n "$1" ] && [ -n "$2" ] && [ -e "$2" ] || return 0
  for other in "$1"/trimtab-*/cgroup.procs; do
    grep -q . "$other" 2>/dev/null && return 0
  done
  read -r setting <"$2"
  [ -w "$setting" ] && echo 0 >"$setting" && rm -f "$2"
  return 0
}

clean() {
  [ -d "$lab" ] || return 0
  mkdir -p "$lab/run"
  lost=$(lost | tr '\n' ' ')
  # A process that is just starting either sees this file or has its pid file seen below.
  : >"$lab/run/closing"
  tries=0
  while pids=$(members) && [ -n "$pids" ]; do
    # shellcheck disable=SC2086
    kill -9 $pids 2>/dev/null
    tries=$((tries + 1))
    if [ $tries -gt 300 ]; then
      echo "processes do not end: $pids" >&2
      return 1
    fi
    sleep 0.1
  done
  # Bucket caches are files that hold memory. Only a folder of a lab's name is removed.
  if [ -e "$lab/run/memory" ]; then
    read -r memory <"$lab/run/memory"
    case ${memory##*/} in
      trimtab-*) rm -rf "$memory" ;;
    esac
  fi
  tree=
  note=
  [ -e "$lab/run/delay-accounting" ] && read -r note <"$lab/run/delay-accounting"
  if [ -e "$lab/run/cgroups" ]; then
    read -r first <"$lab/run/cgroups"
    tree=$(dirname "$first")
    tries=0
    while read -r dir; do
      # The kernel may need a moment until a control group counts as empty.
      while [ -d "$dir" ] && ! rmdir "$dir" 2>/dev/null; do
        tries=$((tries + 1))
        if [ $tries -gt 100 ]; then
          echo "control group can't be removed: $dir" >&2
          return 1
        fi
        sleep 0.1
      done
    done <"$lab/run/cgroups"
  fi
  if [ "${1:-}" = logs ]; then
    rm -rf "$lab/state.json" "$lab/data" "$lab/conf" "$lab/run" "$lab/tmp" "$lab/web" \
      "$lab/secure"
    put_back "$tree" "$note"
    return
  fi
  if [ -n "$lost" ]; then
    # One set a lab's name, so that they don't pile up.
    kept=$(dirname "$lab")/.$(basename "$lab")-lost
    rm -rf "$kept" && mv "$lab/logs" "$kept" &&
      echo "these processes had ended by themselves: ${lost% }; the logs are in $kept"
  fi
  rm -rf "$lab"
  put_back "$tree" "$note"
}

# Whether the lab is still that of the owner: its name may be in use again by now.
ours() {
  [ "$(cat "$lab/run/owner" 2>/dev/null)" = "$1" ]
}

case $verb in
  start)
    process=$3
    shift 3
    echo "$$ $(start_of $$)" >"$lab/run/$process.new" || exit 1
    mv "$lab/run/$process.new" "$lab/run/$process.pid" || exit 1
    [ -e "$lab/run/closing" ] && exit 1
    while [ "$1" != -- ]; do
      echo $$ >"$1/cgroup.procs" || exit 1
      shift
    done
    shift
    # All threads of the command get it. An old kernel has no such file, and its own slack will do.
    [ -n "${TRIMTAB_TIMER_SLACK_NS:-}" ] && [ -w /proc/self/timerslack_ns ] &&
      echo "$TRIMTAB_TIMER_SLACK_NS" >/proc/self/timerslack_ns
    exec "$@"
    ;;
  watch)
    while [ "$(start_of "$3")" = "$4" ]; do
      [ -e "$lab/run/keep" ] && exit 0
      ours "$3 $4" || exit 0
      sleep 0.5
    done
    [ ! -e "$lab/run/keep" ] && ours "$3 $4" && clean
    ;;
  clean)
    clean "${3:-}"
    ;;
  *)
    echo "lab.sh: unknown verb $verb" >&2
    exit 2
    ;;
esac
