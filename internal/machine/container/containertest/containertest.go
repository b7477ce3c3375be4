// Package containertest makes small container images from the programs of this machine, and
// finds the runtimes that can run them here.
package containertest

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/container"
)

// Torch is the version of the package torch that is installed in the image, in name only.
const Torch = "2.6.0"

// Rootfs makes the root file system of an image in a new folder: a shell, bash, Python, a few
// programs, and packages. It skips the test if this machine has not got them.
func Rootfs(t testing.TB) string {
	t.Helper()
	dir := Folder(t)
	for _, name := range []string{"tmp", "proc", "dev", "sys", "etc", "root", "run", "usr/bin"} {
		must(t, os.MkdirAll(filepath.Join(dir, name), 0o755))
	}
	for _, program := range []string{"/bin/sh", "/bin/bash", "/bin/sleep", "/bin/cat", "/bin/ls", "/usr/bin/env", "/usr/bin/setsid",
		"/usr/bin/python3"} {
		real, err := filepath.EvalSymlinks(program)
		if err != nil {
			t.Skipf("not tested in a container: %v", err)
		}
		copyFile(t, real, filepath.Join(dir, "usr/bin", filepath.Base(program)))
		libraries, _ := exec.Command("ldd", real).Output()
		for _, library := range regexp.MustCompile(`/\S+`).FindAllString(string(libraries), -1) {
			copyFile(t, library, filepath.Join(dir, library))
		}
	}
	must(t, os.Symlink("usr/bin", filepath.Join(dir, "bin")))
	out, err := exec.Command("/usr/bin/python3", "-c", `import sysconfig; print(sysconfig.get_path("stdlib"))`).Output()
	must(t, err)
	stdlib := strings.TrimSpace(string(out))
	left := regexp.MustCompile(`^(test|dist-packages|idlelib|lib2to3|ensurepip|pydoc_data|tkinter|distutils|unittest|xml|multiprocessing|config-.*)$`)
	must(t, filepath.WalkDir(stdlib, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case left.MatchString(e.Name()):
			return fs.SkipDir
		case e.Type().IsRegular():
			copyFile(t, path, filepath.Join(dir, path))
		}
		return nil
	}))
	for name, text := range map[string]string{
		"torch/version.py":                       "__version__ = '" + Torch + "'\ncuda = None\n",
		"torch/__init__.py":                      "from .version import __version__\n",
		"torch-" + Torch + ".dist-info/METADATA": "Metadata-Version: 2.1\nName: torch\nVersion: " + Torch + "\n",
	} {
		path := filepath.Join(dir, "usr/local/lib", filepath.Base(stdlib), "dist-packages", name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
	// The users of an image need to read it, whatever the umask is here.
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Type()&fs.ModeSymlink != 0 {
			return err
		}
		return os.Chmod(path, 0o755)
	}))
	return dir
}

// Folder makes a folder that ordinary users can read, without links in its path.
func Folder(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for up := dir; strings.HasPrefix(up, os.TempDir()+"/"); up = filepath.Dir(up) {
		must(t, os.Chmod(up, 0o755))
	}
	return dir
}

// copyFile copies a file with its time, by which Python recognises what it has compiled.
func copyFile(t testing.TB, from, to string) {
	t.Helper()
	info, err := os.Stat(from)
	must(t, err)
	data, err := os.ReadFile(from)
	must(t, err)
	must(t, os.MkdirAll(filepath.Dir(to), 0o755))
	must(t, os.WriteFile(to, data, 0o755))
	must(t, os.Chtimes(to, info.ModTime(), info.ModTime()))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// faults are why a runtime starts no container on this machine, by its path.
var faults = struct {
	sync.Mutex
	of map[string]error
}{of: map[string]error{}}

// Fault returns why a runtime starts no container on this machine as it is, or nil.
func Fault(t testing.TB, runtime string) error {
	path, err := exec.LookPath(runtime)
	if err != nil {
		return err
	}
	return start(t, runtime, path, os.Environ())
}

// start asks the runtime itself, so that a fault of gpudocs is not taken for one of the machine. The image is empty: the
// runtime exits with 127 once it looks for the program in the container.
func start(t testing.TB, runtime, path string, env []string) error {
	t.Helper()
	run := func(args ...string) (int, error) {
		cmd := exec.Command(path, args...)
		cmd.Env, cmd.Dir, cmd.Stdin = env, "/", bytes.NewReader(make([]byte, 1024)) // the end of an archive
		out, err := cmd.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(out))
		}
		return cmd.ProcessState.ExitCode(), err
	}
	args, name := []string{"run", "--rm", "--network=host"}, "gpudocs-test:empty" // of Docker
	switch runtime {
	case container.Podman:
		args = append(args, "--rootfs", Folder(t))
	case container.Docker:
		if _, err := run("import", "-", name); err != nil {
			return err
		}
		defer func() { _, _ = run("rmi", "--force", name) }()
		args = append(args, "--detach", name) // Podman's service would lose the status
	case container.Enroot:
		_, err := run("version")
		return err
	default:
		_, err := run("--version")
		return err
	}
	exit, err := run(append(args, "/nothing")...)
	if exit == 127 {
		return nil
	}
	return err
}

// Host returns this machine for one runtime, with folders of its own except for the cache of the
// user. It skips the test if the runtime is not installed, or starts no container here.
func Host(t testing.TB, runtime string) container.Host {
	t.Helper()
	path, err := exec.LookPath(runtime)
	if err != nil {
		t.Skipf("%s is not installed", runtime)
	}
	env := os.Environ()
	dir := Folder(t)
	switch runtime {
	case container.Podman:
		env = append(env, podman(t)...)
	case container.Docker:
		env = service(t, dir)
	case container.Apptainer, container.Singularity:
		env = append(env, strings.ToUpper(runtime)+"_USERNS=1", strings.ToUpper(runtime)+"_CACHEDIR="+dir)
	case container.Enroot:
		fuse, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
		if err != nil {
			t.Skipf("not tested with Enroot: %v", err)
		}
		fuse.Close()
		env = append(env, "ENROOT_RUNTIME_PATH="+dir+"/run", "ENROOT_CACHE_PATH="+dir+"/cache", "ENROOT_DATA_PATH="+dir+"/data")
	}
	h := container.Host{Env: env, LookPath: func(program string) string {
		if program != runtime {
			return ""
		}
		return path
	}}
	faults.Lock()
	defer faults.Unlock()
	fault, asked := faults.of[path]
	if !asked {
		fault = start(t, runtime, path, env)
		faults.of[path] = fault
	}
	if fault != nil {
		t.Skipf("%s starts no container here: %v", runtime, fault)
	}
	return h
}

// podman returns variables for a Podman with a storage of its own.
func podman(t testing.TB) []string {
	t.Helper()
	// The paths of Unix sockets are short.
	dir, err := os.MkdirTemp("", "pod")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	engine := "[containers]\n" + ulimits(t)
	engine += "[engine]\ncgroup_manager = \"cgroupfs\"\nevents_logger = \"file\"\ntmp_dir = \"" + dir + "/tmp\"\n"
	if _, err := exec.LookPath("runc"); err == nil {
		engine += "runtime = \"runc\"\n" // crun refuses machines with both versions of cgroups
	}
	must(t, os.WriteFile(dir+"/containers.conf", []byte(engine), 0o644))
	env := []string{"CONTAINERS_STORAGE_CONF=" + dir + "/storage.conf", "CONTAINERS_CONF=" + dir + "/containers.conf"}
	var out []byte
	for _, driver := range []string{"overlay", "vfs"} { // vfs copies the image for each container, and works everywhere
		storage := "[storage]\ndriver = \"" + driver + "\"\ngraphroot = \"" + dir + "/graph\"\nrunroot = \"" + dir + "/run\"\n"
		must(t, os.WriteFile(dir+"/storage.conf", []byte(storage), 0o644))
		cmd := exec.Command(container.Podman, "images", "--quiet") // info asks dpkg, too
		cmd.Env = append(os.Environ(), env...)
		if out, err = cmd.CombinedOutput(); err == nil {
			return env
		}
	}
	t.Skipf("not tested with Podman: %s", bytes.TrimSpace(out))
	return nil
}

// Import makes an image of Podman from a root file system, with the name of a registry.
func Import(t testing.TB, h container.Host, rootfs, name string) {
	t.Helper()
	tar := exec.Command("tar", "-C", rootfs, "-c", ".")
	archive, err := tar.StdoutPipe()
	must(t, err)
	cmd := exec.Command(container.Podman, "import", "--quiet", "-", name)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Env, cmd.Stderr = archive, h.Env, &stderr
	must(t, tar.Start())
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	must(t, tar.Wait())
}

// Squashfs makes a file of a root file system, for Enroot and Apptainer. It skips the test if
// mksquashfs is not installed.
func Squashfs(t testing.TB, rootfs string) string {
	t.Helper()
	if _, err := exec.LookPath("mksquashfs"); err != nil {
		t.Skip("mksquashfs is not installed")
	}
	path := filepath.Join(Folder(t), "image.sqsh")
	if out, err := exec.Command("mksquashfs", rootfs, path, "-quiet", "-no-progress", "-Xcompression-level",
		"1").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// service starts Podman as a service that speaks Docker's protocol, for the real client of
// Docker, and returns the variables for both. Docker's own service needs a machine of its own.
func service(t testing.TB, dir string) []string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("Podman without root stands in badly for the service of Docker")
	}
	h := Host(t, container.Podman)
	socket := "unix://" + dir + "/docker.sock"
	env := append(h.Env, "DOCKER_HOST="+socket)
	cmd := exec.Command(h.LookPath(container.Podman), "system", "service", "--time=0", socket)
	cmd.Env, cmd.Dir = env, dir // conmon writes a file if memory runs out
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	for began := time.Now(); time.Since(began) < 20*time.Second; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(dir + "/docker.sock"); err == nil {
			return env
		}
	}
	t.Fatal("podman system service does not start")
	return nil
}
