using Microsoft.EntityFrameworkCore;

namespace Ferry.Booking;

public class Startup(IConfiguration configuration)
{
    public void ConfigureServices(IServiceCollection services)
    {
        services.AddControllersWithViews();
        services.AddDbContext<BookingContext>(
            options => options.UseNpgsql(configuration.GetConnectionString("Booking")));
    }

    public void Configure(IApplicationBuilder app, IWebHostEnvironment env, ILogger<Startup> log)
    {
        log.LogInformation("starting in {Environment}", env.EnvironmentName);
        if (env.IsDevelopment())
        {
            app.UseDeveloperExceptionPage();
        }
        else
        {
            app.UseExceptionHandler("/sorry");
        }
        app.UseHsts();
        app.UseHttpsRedirection();
        app.UseStaticFiles();
        app.UseRouting();
        app.UseEndpoints(endpoints => endpoints.MapDefaultControllerRoute());
    }
}
