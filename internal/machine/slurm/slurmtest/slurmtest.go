// Package slurmtest starts a Slurm cluster for a test: munged, slurmctld, and a slurmd for each of
// two nodes. They are the real programs, run on this machine, with their own folder, key, sockets
// and ports. No file of an installed Slurm is read or written.
//
// The cluster has
//
//	node1       4 CPUs (configured, whatever the machine has), two GPUs of the type v100
//	node2       4 CPUs
//	gpu         the default partition: node1, at most an hour
//	all         a partition of both nodes
//	closed      a partition that starts no job
//
// The GPUs are two files of /dev. Slurm allocates them and sets CUDA_VISIBLE_DEVICES, as for real
// GPUs.
package slurmtest

import (
	"bytes"
	"fmt"
	"text/template"
)

// A Cluster is a running Slurm.
type Cluster struct {
	// Conf is the path of its slurm.conf, which SLURM_CONF names to Slurm's
	// commands.
	Conf string
	dir  string
	// started are the daemons, in order.
	started []*daemon
}

// programs are the programs of a cluster, from Debian's packages slurmctld, slurmd and munge.
var programs = []string{"munged", "slurmctld", "slurmd", "sbatch", "srun", "scontrol", "squeue", "scancel", "sinfo"}

// settings are the variable parts of the configuration.
type settings struct {
	Dir, Host, User          string
	Controller, Node1, Node2 int // ports
}

// Slurm checks time limits every 30 seconds, whatever is set here.
var slurmConf = template.Must(template.New("slurm.conf").Parse(`
ClusterName=gpudocs
SlurmctldHost={{.Host}}(127.0.0.1)
SlurmctldPort={{.Controller}}
SlurmUser={{.User}}
SlurmdUser={{.User}}
AuthType=auth/munge
AuthInfo=socket={{.Dir}}/run/munge
CredType=cred/munge
SlurmctldPidFile={{.Dir}}/slurmctld.pid
SlurmdPidFile={{.Dir}}/slurmd-%n.pid
StateSaveLocation={{.Dir}}/state
SlurmdSpoolDir={{.Dir}}/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=bf_interval=1
KillWait=20
GresTypes=gpu
NodeName=node1 NodeHostname={{.Host}} NodeAddr=127.0.0.1 Port={{.Node1}} CPUs=4 RealMemory=1000 Gres=gpu:v100:2
NodeName=node2 NodeHostname={{.Host}} NodeAddr=127.0.0.1 Port={{.Node2}} CPUs=4 RealMemory=1000
PartitionName=gpu Nodes=node1 Default=YES MaxTime=1:00:00
PartitionName=all Nodes=node1,node2
PartitionName=closed Nodes=node1 State=DOWN
`))

const gresConf = `
NodeName=node1 Name=gpu Type=v100 File=/dev/null
NodeName=node1 Name=gpu Type=v100 File=/dev/zero
`

func (s settings) conf() ([]byte, error) {
	var b bytes.Buffer
	if err := slurmConf.Execute(&b, s); err != nil {
		return nil, fmt.Errorf("slurm.conf: %w", err)
	}
	return b.Bytes(), nil
}
