package plot

import (
	"context"
	"net/http"
	"os/exec"
	"time"

	"github.com/gin-gonic/gin"
)

const recording = "/srv/observatory/latest.wav"

func Spectrum(c *gin.Context) {
	title := c.DefaultQuery("title", "Spectrum")
	ctx, cancel := context.WithTimeout(c.Request.Context(), 20*time.Second)
	defer cancel()

	cmd := exec.CommandContext(ctx, "sox", recording, "-n", "spectrogram", "-o", "-", "-t", title)
	image, err := cmd.Output()
	if err != nil {
		c.AbortWithStatus(http.StatusUnprocessableEntity)
		return
	}
	c.Data(http.StatusOK, "image/png", image)
}
